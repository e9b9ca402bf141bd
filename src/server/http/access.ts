import type { FastifyInstance, RouteOptions } from 'fastify';

/**
 * Who may call a route. Every route states it, so that nobody can forget to think about it:
 * - `anyone`: no identity is looked at or handed out
 * - `visitor`: everybody, known by the visitor's cookie
 * - `owner`: only the visitor to whom the thing asked for belongs
 * - `user`: only somebody who is signed in, and only about themselves
 * - `provider`: only the payment provider, known by its signature
 */
export type Access = 'anyone' | 'visitor' | 'owner' | 'user' | 'provider';

export interface RegisteredRoute {
  method: string;
  url: string;
  access: Access;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyInstance {
    /** Every route of the server; complete once it is ready. */
    registeredRoutes: RegisteredRoute[];
  }
}

/** Keeps the list of routes, and stops the start when one does not say who may call it. */
export function registerRoutesWithAccess(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.decorate('registeredRoutes', []);
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const access = config?.access;
      if (!access) throw new Error(`The route ${method} ${url} does not state who may call it.`);
      app.registeredRoutes.push(...[method].flat().map((one) => ({ method: one, url, access })));
    }
  });
}
