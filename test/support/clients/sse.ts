/** Reads server-sent events like a client. */

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the next message with its name, data and id; undefined at the end. Comments are skipped. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  next(): Promise<{ event: string; data: any; id?: string } | undefined>;
  close(): void;
}

/** Sends a GET, or a POST with `body`. */
export async function openStream(url: string, headers: Record<string, string> = {}, body?: object): Promise<Stream> {
  const stop = new AbortController();
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    signal: stop.signal,
    headers: { accept: 'text/event-stream', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    headers: response.headers,
    close: () => stop.abort(),
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end < 0) {
          const { done, value } = await reader.read();
          if (done) return undefined;
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const of = (name: string) =>
          lines
            .find((line) => line.startsWith(`${name}:`))
            ?.slice(name.length + 1)
            .trim();
        const [event, data, id] = [of('event'), of('data'), of('id')];
        if (event !== undefined)
          return { event, data: data ? JSON.parse(data) : undefined, ...(id !== undefined && { id }) };
      }
    },
  };
}
