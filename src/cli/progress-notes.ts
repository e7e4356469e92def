/** Prints the progress of a long run to stderr every two seconds. */
const EVERY_MS = 2_000;

/** `total`: approximate number of events, if known; then the remaining time is shown too. */
export function progressNotes(
  label: string,
  note: (line: string) => void,
  total?: number,
  now: () => number = Date.now,
): (events: number) => void {
  const started = now();
  let last = started;
  return (events) => {
    const at = now();
    if (at - last < EVERY_MS) return;
    last = at;
    const perSecond = (events * 1_000) / (at - started);
    const rest = total === undefined || total <= events ? undefined : (total - events) / perSecond;
    note(
      rest === undefined
        ? `${label}: ${events} events, ${Math.round(perSecond)}/s`
        : `${label}: ${events} of ${total} events, ${Math.floor((events * 100) / total!)} %, ${Math.round(perSecond)}/s, about ${spell(rest)} left`,
    );
  };
}

const spell = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5_400
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;
