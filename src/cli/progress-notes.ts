/** How far a long run is, on stderr, every two seconds. */
const EVERY_MS = 2_000;

export function progressNotes(label: string, note: (line: string) => void): (events: number) => void {
  const started = Date.now();
  let last = started;
  return (events) => {
    const now = Date.now();
    if (now - last < EVERY_MS) return;
    last = now;
    note(`${label}: ${events} events, ${Math.round((events * 1_000) / (now - started))}/s`);
  };
}
