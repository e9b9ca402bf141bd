// Receives one webhook and verifies its signature: npx tsx receive-webhook.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const { GLYPHLIFT_WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
const secret = Buffer.from(GLYPHLIFT_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

/** Whether a webhook was signed with the secret within the last five minutes, as specified by Standard Webhooks. */
function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret)
    .update(`${headers['webhook-id']}.${timestamp}.${body}`)
    .digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const genuine = isGenuine(request.headers, body);
  response.writeHead(genuine ? 204 : 400).end();
  if (!genuine) return;
  // A webhook may arrive twice with the same webhook-id. Process each id once.
  const { type, data } = JSON.parse(body);
  console.log(`${type} ${data.id}`);
  server.close();
});
server.listen(Number(PORT), () => console.error('listening'));
