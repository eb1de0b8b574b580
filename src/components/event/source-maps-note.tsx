import { Disclosure } from '#components/ui/disclosure.tsx'
import { Link } from '#components/ui/link.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { SourceMapProblem } from '#server/store/artifacts/records.ts'

/** Lists the files whose original source is not shown, with reasons and remedies. */
export function SourceMapsNote({
  problems,
  projectSlug,
}: {
  problems: readonly SourceMapProblem[]
  projectSlug: string
}) {
  if (problems.length === 0) return null
  const [first] = problems
  const summary =
    problems.length === 1 && first !== undefined
      ? problemText(first)
      : `Original source missing for ${countedNoun(problems.length, 'file')}`
  return (
    <aside className="source-map-problems" aria-label="Source maps">
      <Disclosure summary={<bdi>{summary}</bdi>}>
        <ul>
          {problems.map((problem) => (
            <li key={problem.path}>
              <bdi>{problemText(problem)}</bdi> {helpText(problem)}{' '}
              {problem.debugId === undefined ? null : (
                <>
                  Debug ID <code>{problem.debugId}</code>, at{' '}
                </>
              )}
              <bdi>
                <code>{problem.path}</code>
              </bdi>
              .
            </li>
          ))}
        </ul>
        <p>
          <Link to="/projects/$slug/source-maps" params={{ slug: projectSlug }}>
            Source maps of this project
          </Link>
        </p>
      </Disclosure>
    </aside>
  )
}

/** Maximum length of a shown file name. */
const nameCharacters = 100

const problemTexts: Record<SourceMapProblem['reason'], (name: string, count: number) => string> = {
  missing: (name) => `No source map for ${name}.`,
  unreadable: (name) => `Source map for ${name} is invalid.`,
  'too-large': (name) => `Source map for ${name} is too large.`,
  unmapped: (name, count) => `Source map for ${name} does not cover ${countedNoun(count, 'frame')}.`,
  late: (name) => `Source map for ${name} is still loading.`,
}

const helpTexts: Record<SourceMapProblem['reason'], string> = {
  missing: 'Upload the matching map; existing events will update.',
  unreadable: 'The uploaded file is not a source map. Build and upload it again.',
  'too-large': 'Split the code into smaller files.',
  unmapped: 'These frames are shown as sent. If it covers none, the map is from a different build.',
  late: 'Reload in a moment.',
}

const withoutDebugId =
  'The code is minified and has no debug ID. Inject one with sentry-cli or a bundler plugin, then upload the map.'

function problemText({ path, reason, unmappedCount = 0 }: SourceMapProblem): string {
  return problemTexts[reason](nameOf(path), unmappedCount)
}

function helpText({ reason, debugId }: SourceMapProblem): string {
  return reason === 'missing' && debugId === undefined ? withoutDebugId : helpTexts[reason]
}

function nameOf(path: string): string {
  const plain = path.replace(/[?#].*$/s, '')
  return (plain.slice(plain.lastIndexOf('/') + 1) || plain).slice(0, nameCharacters)
}
