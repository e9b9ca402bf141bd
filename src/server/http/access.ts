import type { FastifyInstance, RouteOptions } from 'fastify';
import { type Access, type Call, keyScopeOf } from '#contract/call';
import { API_PREFIX } from '#contract/paths';

/**
 * What a route is. Checks before it runs go by this and never by the text of an address, which can be written in more
 * ways than one:
 * - `call`: a call of the API; exactly what is declared under its prefix
 * - `page`: rendered for a browser
 * - `file`: the same bytes for everyone
 * - `health`: for the operator
 */
export type RouteKind = 'call' | 'page' | 'file' | 'health';

/** `operator`: the operator of the server. No call is for them. */
export type RouteAccess = Access | 'operator';

export interface RegisteredRoute {
  method: string;
  url: string;
  access: RouteAccess;
  kind: RouteKind;
  /** Whether API keys open it. */
  keyed: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** As the contract declares it; every call has it. */
    call?: Call;
    /** Every route has to state it, so that it cannot be forgotten. */
    access?: RouteAccess;
    /** Calls need not state it. */
    kind?: RouteKind;
  }
  interface FastifyInstance {
    /** Every route of the server; complete once it is ready. */
    registeredRoutes: RegisteredRoute[];
  }
}

/** Keeps the list of routes, and stops the start when one does not say who may call it or what it is. */
export function registerRoutesWithAccess(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.decorate('registeredRoutes', []);
  app.addHook('onRoute', (route) => {
    if (isOfApi(route.url)) route.config = { kind: 'call', ...route.config };
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const { access, kind, call } = config ?? {};
      if (!access) throw new Error(`The route ${method} ${url} does not state who may call it.`);
      if (!kind) throw new Error(`The route ${method} ${url} does not state what it is.`);
      if (isOfApi(url) !== (kind === 'call')) {
        throw new Error(`The route ${method} ${url} is a ${kind}: what is under ${API_PREFIX} is a call.`);
      }
      if (kind === 'call' && !call)
        throw new Error(`The call ${method} ${url} is not declared in the contract.`);
      const keyed = call !== undefined && keyScopeOf(call) !== null;
      app.registeredRoutes.push(...[method].flat().map((one) => ({ method: one, url, access, kind, keyed })));
    }
  });
}

/** The methods of the routes that answer at this path, which is written as the router wants it. */
export function methodsAt(routes: readonly RegisteredRoute[], path: string): string[] {
  const parts = path.split('/');
  const answers = ({ url }: RegisteredRoute) => {
    const pattern = url.split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((wanted, at) => wanted.startsWith(':') || wanted === parts[at])
    );
  };
  return [...new Set(routes.filter(answers).map(({ method }) => method))].sort();
}

/** The methods of an address that API keys open. */
export const keyedMethodsAt = (routes: readonly RegisteredRoute[], path: string): string[] =>
  methodsAt(
    routes.filter(({ keyed }) => keyed),
    path,
  );

const isOfApi = (url: string): boolean => url.startsWith(API_PREFIX);
