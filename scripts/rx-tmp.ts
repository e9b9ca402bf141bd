process.env.RECHECK_BACKEND='pure';
import { findExpressions } from '/work/wt/http/scripts/regular-expressions.ts';
const { checkSync } = await import('/work/wt/http/node_modules/recheck/index.js' as string).then((m: any) => m.default ?? m);
const { literals, built } = findExpressions('/work/wt/http', 'src');
console.log(literals.length, built);
const t0 = performance.now();
for (const l of literals) { const t=performance.now(); const r = checkSync(l.source, l.flags, { timeout: 20000 }); const ms = performance.now()-t; if (r.status !== 'safe' || ms > 1000) console.log(l.file, l.line, `/${l.source}/${l.flags}`, r.status, r.complexity?.summary, r.error?.kind, Math.round(ms)); }
console.log('total', Math.round(performance.now()-t0));
