/** Versions up to this length are never shortened. */
const shortCharacters = 20
/** The end that is always shown: of a version with a commit, its last digits. */
const endCharacters = 10

/**
 * A version in one line. If there is not enough space, it is shortened in the middle, because versions of one
 * project often differ only at their end.
 */
export function VersionText({ version, title = version }: { version: string; title?: string }) {
  const characters = Array.from(version)
  if (characters.length <= shortCharacters) return <bdi title={title}>{version}</bdi>
  return (
    <bdi className="version-text" title={title}>
      <span>{characters.slice(0, -endCharacters).join('')}</span>
      <span>{characters.slice(-endCharacters).join('')}</span>
    </bdi>
  )
}
