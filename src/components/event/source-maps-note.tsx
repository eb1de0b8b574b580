import { Link } from '@tanstack/react-router'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun } from '#components/ui/number-text.ts'
import type { SourceMapProblem } from '#server/store/artifacts/records.ts'

/** Of which code of the event the source is not shown, why, and what helps. */
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
      : `The source of ${countedNoun(problems.length, 'file')} is not shown in full`
  return (
    <aside className="source-map-problems" aria-label="Source maps">
      <Disclosure summary={<bdi>{summary}</bdi>}>
        <ul>
          {problems.map((problem) => (
            <li key={problem.path}>
              <bdi>{problemText(problem)}</bdi> {helpText(problem)}{' '}
              {problem.debugId === undefined ? null : (
                <>
                  Debug id <code>{problem.debugId}</code>, at{' '}
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
            Source maps of this project, and how to upload them
          </Link>
        </p>
      </Disclosure>
    </aside>
  )
}

/** Characters of a file's name that are told. */
const nameCharacters = 100

const problemTexts: Record<SourceMapProblem['reason'], (name: string, count: number) => string> = {
  missing: (name) => `No source map for ${name}.`,
  unreadable: (name) => `The source map of ${name} cannot be read.`,
  'too-large': (name) => `The source map of ${name} is too large to be read.`,
  unmapped: (name, count) => `The source map of ${name} says nothing of ${countedNoun(count, 'frame')}.`,
  late: (name) => `The source map of ${name} takes long to read.`,
}

const helpTexts: Record<SourceMapProblem['reason'], string> = {
  missing: 'Upload the one that was built with it: events that are here already show their source then, too.',
  unreadable: 'What was uploaded is no source map: build and upload it again.',
  'too-large': 'Let the build split the code into smaller files.',
  unmapped: 'They stand as they were sent. Where all of them do, the map is that of another build.',
  late: 'Load the page again in a moment.',
}

const withoutDebugId =
  'The code is minified and its build gave it no debug id: let sentry-cli or a bundler’s plugin inject one, and upload the map.'

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
