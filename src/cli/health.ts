/** Health check of the container image: whether the process that serves on HOST and PORT is ready. */
import { command, EXIT } from './command.js';
import { runProgram } from './program.js';

const TIMEOUT_MS = 4_000;
/** Maps the address that binds to all interfaces to the loopback address on the same host. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

await runProgram('health', [
  command({
    name: '',
    summary: 'Check the service on HOST and PORT. Exit code 0 if it is ready, otherwise 1 with the reasons.',

    async run(_given, { config: { host, port }, note }) {
      const address = LOOPBACK[host] ?? (host.includes(':') ? `[${host}]` : host);
      const response = await fetch(`http://${address}:${port}/health/ready`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.ok) return EXIT.ok;
      note(await response.text());
      return EXIT.failed;
    },
  }),
]);
