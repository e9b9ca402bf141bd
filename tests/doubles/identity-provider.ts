import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** A user with an account at the provider. `sub` is what they type to sign in there. */
export interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
  preferred_username?: string;
}

interface IdentityProviderOptions {
  /** Where the product lets the provider send browsers back to. */
  redirectUris: string[];
  people: Person[];
  port?: number;
  /** Signs with keys that it does not publish: those that it does bear their ids. */
  signsWithForeignKey?: boolean;
}

/**
 * A whole OpenID Connect provider with its own pages to sign in and consent (any password will do).
 */
export class IdentityProviderDouble {
  readonly clientId = 'glyphlift';
  readonly clientSecret = 'identity-secret';

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start({
    redirectUris,
    people,
    port = 0,
    signsWithForeignKey = false,
  }: IdentityProviderOptions) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const double = new IdentityProviderDouble(server, issuer);
    const configuration: Configuration = {
      clients: [
        {
          client_id: double.clientId,
          client_secret: double.clientSecret,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: 'client_secret_post',
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
      },
      pkce: { required: () => true },
      cookies: { keys: ['double'] },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 3600,
        IdToken: 600,
        Interaction: 600,
        Session: 3600,
      },
      async findAccount(_context, sub) {
        const person = people.find((one) => one.sub === sub);
        return person && { accountId: sub, claims: async () => ({ ...person }) };
      },
    };
    const provider = new Provider(issuer, configuration);
    if (signsWithForeignKey) {
      provider.use(async (context, next) => {
        await next();
        if (context.path === '/jwks') context.body = withOtherKeys(context.body as KeySet);
      });
    }
    server.on('request', provider.callback());
    return double;
  }

  get env(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: this.clientId,
      OIDC_CLIENT_SECRET: this.clientSecret,
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

interface KeySet {
  keys: Array<JsonWebKey & { kid?: string; alg?: string }>;
}

function withOtherKeys({ keys }: KeySet): KeySet {
  const others = keys
    .filter(({ kty }) => kty === 'RSA')
    .map(({ kid, alg, use }) => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return { ...publicKey.export({ format: 'jwk' }), kid, alg, use };
    });
  return { keys: others as KeySet['keys'] };
}
