// Hears of one job that has ended, and checks that it was told by Glyphlift: npx tsx receive-webhook.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const { GLYPHLIFT_WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
const secret = Buffer.from(GLYPHLIFT_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

/** As Standard Webhooks has it: what was signed with this secret, within the last five minutes. */
function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const wanted = createHmac('sha256', secret)
    .update(`${headers['webhook-id']}.${timestamp}.${body}`)
    .digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one.replace('v1,', ''), 'base64'))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const genuine = isGenuine(request.headers, body);
  response.writeHead(genuine ? 204 : 400).end();
  if (!genuine) return;
  // The same webhook-id may come twice: it is the same end of the same job.
  const { type, data } = JSON.parse(body);
  console.log(`${type} ${data.id}`);
  server.close();
});
server.listen(Number(PORT), () => console.error('listening'));
