/** The environment of a service or a command that a test or a benchmark starts as a process. */
import { VARIABLES } from '../../../src/variables.js';

/**
 * The environment of this process, without the variables of the service: those come from `given` alone. Otherwise a
 * service that is started without EVENTSTORE_URL would use the log of the caller's EVENTSTORE_URL.
 */
export function serviceEnvironment(given: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !VARIABLES.includes(name));
  return { ...Object.fromEntries(inherited), ...given };
}
