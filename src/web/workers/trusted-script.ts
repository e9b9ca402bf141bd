import { SCRIPT_POLICY } from '#contract/page';

/*
 * The only Trusted Types policy that the content security policy allows. It accepts script URLs of the page's origin.
 */

interface ScriptUrlPolicy {
  createScriptURL: (address: string) => string;
}
interface TrustedTypes {
  createPolicy: (name: string, rules: ScriptUrlPolicy) => ScriptUrlPolicy;
}

const rules: ScriptUrlPolicy = {
  createScriptURL(address) {
    const url = new URL(address, location.href);
    if (url.origin !== location.origin) throw new TypeError('This script is not from this site');
    return url.href;
  },
};

let policy: ScriptUrlPolicy | undefined;

/** The URL of a worker as a `TrustedScriptURL`. @throws {TypeError} for a URL of another origin */
export function trustedScript(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  // Browsers without Trusted Types need no policy.
  policy ??= trustedTypes?.createPolicy(SCRIPT_POLICY, rules) ?? rules;
  return policy.createScriptURL(address);
}
