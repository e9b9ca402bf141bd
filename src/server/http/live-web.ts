import type { ViteDevServer } from 'vite';
import type { RenderPage } from '#contract/page';
import { NONCE_PLACEHOLDER } from './document.ts';
import { registerMailView } from './mail-view.ts';
import type { Web } from './pages.ts';

/**
 * The page straight from its sources, compiled when it is asked for and reloaded when it changes; and what only a
 * developer gets to see.
 * @param outbox folder of the mails that were written instead of sent
 */
export function createLiveWeb(root: string, outbox: string): Web {
  let vite: ViteDevServer | undefined;
  const running = () => {
    if (!vite) throw new Error('The live page is used before it is registered.');
    return vite;
  };
  return {
    async render(request) {
      const entry = await running().ssrLoadModule('/src/web/entry-server.tsx');
      return (entry.render as RenderPage)(request);
    },
    assets: () => ({ script: '/src/web/entry-client.tsx', css: '', modules: [], fonts: [] }),
    async register(app) {
      await registerMailView(app, outbox);
      // Only here, so that production neither loads nor needs it.
      const { createServer } = await import('vite');
      vite = await createServer({
        root,
        appType: 'custom',
        server: { middlewareMode: true, cors: false, hmr: { server: app.server } },
        html: { cspNonce: NONCE_PLACEHOLDER },
      });
      const { middlewares } = vite;
      app.addHook('onClose', () => vite?.close());
      app.addHook('onRequest', (request, reply, next) => {
        if (request.routeOptions.config.kind === 'page') middlewares(request.raw, reply.raw, next);
        else next();
      });
    },
    async transform(url, html, nonce) {
      const transformed = await running().transformIndexHtml(url, html);
      return transformed.replaceAll(NONCE_PLACEHOLDER, nonce);
    },
  };
}
