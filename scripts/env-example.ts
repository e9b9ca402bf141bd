import { writeFile } from 'node:fs/promises';
import { describeVariables } from '../src/server/config.ts';

/** Writes `.env.example` from the declarations in `src/server/config.ts`. */
await writeFile(new URL('../.env.example', import.meta.url), describeVariables());
