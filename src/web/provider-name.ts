const SPELLINGS: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
};

/** A sign-in provider as people write it, from its name in addresses. */
export function providerName(id: string): string {
  return SPELLINGS[id] ?? id.charAt(0).toUpperCase() + id.slice(1);
}
