import { SCRIPT_POLICY } from '#contract/page';

/*
 * Trusted Types: the content policy asks for the origin of script addresses. This is the only policy, and it accepts
 * nothing but this server's own files.
 */

interface AddressPolicy {
  createScriptURL: (address: string) => string;
}
interface TrustedTypes {
  createPolicy: (name: string, rules: AddressPolicy) => AddressPolicy;
}

const rules: AddressPolicy = {
  createScriptURL(address) {
    const url = new URL(address, location.href);
    if (url.origin !== location.origin) throw new TypeError('This script is not ours');
    return url.href;
  },
};

let policy: AddressPolicy | undefined;

/** The address of a worker, fit to be started. @throws {TypeError} for another server's */
export function trustedScript(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  // Some browsers have no such policies, and ask for none.
  policy ??= trustedTypes?.createPolicy(SCRIPT_POLICY, rules) ?? rules;
  return policy.createScriptURL(address);
}
