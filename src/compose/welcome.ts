/** Text that is printed after startup. */
import { join, relative } from 'node:path';
import type { Config } from '../config.js';
import type { Demo } from './demo/demo.js';

/**
 * Lines to print below `ready`; empty if this process serves no requests. Passwords are not printed, because output is
 * often stored.
 */
export function welcome({ roles, production, dataDir }: Config, baseUrl: string, demo: Demo | undefined): string {
  if (!roles.includes('api')) return '';
  const addresses = [
    ['API', `${baseUrl}/api/docs`],
    ...(production ? [] : [['GraphQL', `${baseUrl}/api/graphql`]]),
    ['Approvals', `${baseUrl}/mcp-approvals`],
    ['Agents', `${baseUrl}/mcp`],
  ] as const;
  const path = join(dataDir, 'demo.json');
  const relativePath = relative('', path);
  const file = relativePath.startsWith('..') ? path : relativePath;
  const lines = [
    ...addresses.map(([name, address]) => `  ${name!.padEnd(10)} ${address}`),
    ...(demo
      ? [
          `  Sign in as ${demo.users.client_admin.email} (demo); all passwords are in ${file}`,
          `  Try        curl ${baseUrl}/api/v1/tracking/${demo.trackings[0]}`,
        ]
      : []),
  ];
  return `\n${lines.join('\n')}\n\n`;
}
