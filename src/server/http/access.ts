import type { FastifyInstance, RouteOptions } from 'fastify';
import { type Access, type Call, keyScopeOf } from '#contract/call';
import { API_PREFIX } from '#contract/paths';

/**
 * Kind of a route. Checks use it instead of the path, which has several spellings:
 * - `call`: an API call, declared in the contract
 * - `page`: a rendered page
 * - `file`: a static file
 * - `health`: health and metrics, for the operator
 */
export type RouteKind = 'call' | 'page' | 'file' | 'health';

/** `operator`: the operator of the server; not used by API calls. */
export type RouteAccess = Access | 'operator';

export interface RegisteredRoute {
  method: string;
  url: string;
  access: RouteAccess;
  kind: RouteKind;
  /** Whether it accepts API keys. */
  keyed: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration in the contract; every call has one. */
    call?: Call;
    /** Required for every route. */
    access?: RouteAccess;
    /** Optional for calls. */
    kind?: RouteKind;
  }
  interface FastifyInstance {
    /** Every route of the server; complete once it is ready. */
    registeredRoutes: RegisteredRoute[];
  }
}

/** Collects all routes, and stops the start if one does not state its access or kind. */
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

/** Methods of the routes at this path, in the router's syntax. */
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

/** Methods at this path that accept API keys. */
export const keyedMethodsAt = (routes: readonly RegisteredRoute[], path: string): string[] =>
  methodsAt(
    routes.filter(({ keyed }) => keyed),
    path,
  );

const isOfApi = (url: string): boolean => url.startsWith(API_PREFIX);
