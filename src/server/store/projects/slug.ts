/**
 * A slug from a name: lower-case ASCII letters, digits and single hyphens; undefined if the name contains
 * none of them.
 */
export function toSlug(name: string, maxCharacters: number): string | undefined {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, maxCharacters).replace(/-$/, '')
}
