/** Progress of an upload: bytes sent, and total bytes of the request body. */
export type OnSent = (bytes: number, total: number) => void;

/**
 * Like `fetch`, for calls to this server, but reports how much has been sent, which `fetch` cannot do. Rejects as
 * `fetch` does.
 */
export function sendWithProgress(
  address: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onSent: OnSent = () => {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, address);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
    request.onload = () => {
      const { status, statusText } = request;
      resolve(new Response(request.responseText, { status, statusText, headers: headersOf(request) }));
    };
    request.onerror = () => reject(new TypeError('No response'));
    request.onabort = () => reject(signal?.reason ?? new TypeError('The call was aborted'));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort);
    request.send(body as XMLHttpRequestBodyInit);
  });
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().split('\r\n');
  return new Headers(
    lines.filter(Boolean).map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
}
