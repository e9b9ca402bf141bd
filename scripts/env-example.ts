import { writeFile } from 'node:fs/promises';
import { VARIABLES } from '../src/server/config.ts';
import { describeVariables } from '../src/server/platform/environment.ts';

/** Writes `.env.example` from the declarations in `src/server/config.ts`. */
await writeFile(new URL('../.env.example', import.meta.url), describeVariables(VARIABLES));
