import type { ViteDevServer } from 'vite';
import type { RenderPage } from '#contract/page';
import { registerMailView } from './mail-view.ts';
import type { PageRenderer } from './pages.ts';

/**
 * Development: pages from their sources with hot reload, and development-only pages.
 * @param outbox folder of mails written to files
 */
export function createLiveWeb(root: string, outbox: string): PageRenderer {
  let vite: ViteDevServer | undefined;
  const running = () => {
    if (!vite) throw new Error('The development pages are used before they are registered.');
    return vite;
  };
  const entry = () => running().ssrLoadModule('/src/web/entry-server.tsx');
  return {
    async render(request) {
      const { render } = await entry();
      return (render as RenderPage)(request);
    },
    async assets() {
      const { earlyScript } = await entry();
      return { script: '/src/web/entry-client.tsx', earlyScript, css: '', modules: [], fonts: [] };
    },
    // Vite adds its own scripts and styles to the document.
    inline: { script: "'unsafe-inline'", style: "'unsafe-inline'" },
    async register(app) {
      await registerMailView(app, outbox);
      // Dynamic import, so that production does not need it.
      const { createServer } = await import('vite');
      vite = await createServer({
        root,
        appType: 'custom',
        server: { middlewareMode: true, cors: false, hmr: { server: app.server } },
      });
      const { middlewares } = vite;
      app.addHook('onClose', () => vite?.close());
      app.addHook('onRequest', (request, reply, next) => {
        if (request.routeOptions.config.kind === 'page') middlewares(request.raw, reply.raw, next);
        else next();
      });
    },
    transform: (url, html) => running().transformIndexHtml(url, html),
  };
}
