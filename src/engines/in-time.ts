/** Waits for a step of a shutdown, but not for ever: what hangs is left behind, and the rest still ends in order. */
export async function inTime(step: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([step.then(() => undefined, () => undefined), late]);
  clearTimeout(timer);
}
