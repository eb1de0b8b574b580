import type { SearchProblem } from '#search/term.ts'

interface SearchProblemsProps {
  id: string
  text: string
  problems: readonly SearchProblem[]
}

/** The invalid parts of a search: each token is marked at its position, with a correction. */
export function SearchProblems({ id, text, problems }: SearchProblemsProps) {
  if (problems.length === 0) return null
  return (
    <div id={id} className="search-problems" role="alert">
      <p>
        <code>{markProblems(text, problems)}</code>
      </p>
      <ul>
        {problems.map(({ start, message }) => (
          <li key={start}>{message}</li>
        ))}
      </ul>
      <p className="quiet">
        {problems.length === 1 ? 'This term is' : 'These terms are'} ignored in the results below.
      </p>
    </div>
  )
}

function markProblems(text: string, problems: readonly SearchProblem[]) {
  return problems.map(({ start, end }, at) => (
    <span key={start}>
      {text.slice(problems[at - 1]?.end ?? 0, start)}
      <mark>{text.slice(start, end)}</mark>
      {at === problems.length - 1 ? text.slice(end) : null}
    </span>
  ))
}
