import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Development page for mails that a server without SMTP writes to files. Not in production. */
export const MAIL_VIEW_PATH = '/development/mails';

interface WrittenMail {
  id: string;
  to: string;
  subject: string;
  date: string;
  text: string;
}

export async function registerMailView(app: FastifyInstance, outbox: string): Promise<void> {
  const config = { access: 'anyone', kind: 'file' } as const;
  app.get(MAIL_VIEW_PATH, { config }, async (_request, reply) => {
    const rows = (await mailsIn(outbox)).map(
      ({ id, to, subject, date }) =>
        `<tr><td>${asText(date)}</td><td>${asText(to)}</td><td><a href="${MAIL_VIEW_PATH}/${id}">${asText(subject)}</a></td></tr>`,
    );
    const list = rows.length
      ? `<table><tr><th>Sent</th><th>To</th><th>Subject</th></tr>${rows.join('\n')}</table>`
      : '<p>No mail has been sent yet.</p>';
    return sendPage(reply, 'Mails', `${list}<p>${asText(outbox)}</p>`);
  });
  app.get<{ Params: { id: string } }>(`${MAIL_VIEW_PATH}/:id`, { config }, async ({ params }, reply) => {
    const mail = (await mailsIn(outbox)).find(({ id }) => id === params.id);
    if (!mail) {
      reply.status(404);
      return sendPage(reply, 'No such mail', `<p><a href="${MAIL_VIEW_PATH}">All mails</a></p>`);
    }
    const head = `<p>To ${asText(mail.to)}, ${asText(mail.date)}</p>`;
    const back = `<p><a href="${MAIL_VIEW_PATH}">All mails</a></p>`;
    return sendPage(reply, mail.subject, `${head}<pre>${withLinks(mail.text)}</pre>${back}`);
  });
}

/** Newest first. */
async function mailsIn(outbox: string): Promise<WrittenMail[]> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(
    names.map(async (name) => {
      const file = join(outbox, name);
      const [content, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
      return { ...read(content), id: name.slice(0, -'.eml'.length), mtimeMs };
    }),
  );
  return mails.sort((a, b) => b.mtimeMs - a.mtimeMs);
}

function read(content: string): Omit<WrittenMail, 'id'> {
  const end = content.indexOf('\n\n');
  const lines = content.slice(0, end).split('\n');
  const header = (name: string) => {
    const start = `${name}: `;
    return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? '';
  };
  return { to: header('To'), subject: header('Subject'), date: header('Date'), text: content.slice(end + 2) };
}

const asText = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? `<a href="${asText(part)}">${asText(part)}</a>` : asText(part)))
    .join('');

function sendPage(reply: FastifyReply, title: string, body: string) {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${asText(title)}</title><h1>${asText(title)}</h1>${body}`,
    );
}
