import type { FastifyInstance } from 'fastify';
import { type Job, jobSchema } from '#contract/job';
import { eventually } from './eventually.ts';
import { type Browser, PASSWORD } from './people.ts';
import { createVisitor, encodeForm } from './server-app.ts';

/** Creates an API key of the user with all permissions. */
export async function keyOf(person: Browser): Promise<string> {
  const wanted = { name: 'Jobs', scopes: ['read', 'usage'], currentPassword: PASSWORD };
  return (await person.post('/api/account/keys', wanted)).json<{ secret: string }>().secret;
}

/** The form of a job. Each file contains the text that the fake engine reads in it. */
export function jobForm(files: readonly string[], fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [at, file] of files.entries()) form.append('file', new Blob([file]), `file-${at + 1}.png`);
  return form;
}

/** An API client that creates jobs. */
export function jobsOf(app: FastifyInstance, secret: string, address = '198.51.100.9') {
  const visitor = createVisitor(app, address);
  const authorization = `Bearer ${secret}`;
  const get = (url: string, headers: Record<string, string> = {}) =>
    visitor.get(url, { authorization, ...headers });
  const state = async (id: string): Promise<Job> => jobSchema.parse((await get(`/api/jobs/${id}`)).json());
  return {
    get,
    async send(form: FormData, headers: Record<string, string> = {}) {
      const { type, body } = await encodeForm(form);
      return visitor.send({
        method: 'POST',
        url: '/api/jobs',
        payload: body,
        headers: { authorization, 'content-type': type, ...headers },
      });
    },
    state,
    result: (id: string, query = '') => get(`/api/jobs/${id}/result${query}`),
    remove: (id: string) =>
      visitor.send({ method: 'DELETE', url: `/api/jobs/${id}`, headers: { authorization } }),
    usage: async () => (await get('/api/usage')).json<{ imageCount: number }>().imageCount,
    /** Waits for the end of the job. */
    async ended(id: string): Promise<Job> {
      let job = await state(id);
      await eventually(async () => {
        job = await state(id);
        return job.endedAt !== null;
      });
      return job;
    },
  };
}
export type JobProgram = ReturnType<typeof jobsOf>;
