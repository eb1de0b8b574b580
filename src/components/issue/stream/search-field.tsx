import { lazy, Suspense, useRef, useState } from 'react'
import { Icon } from '#components/ui/icon.tsx'
import { startingTexts } from '#search/starting-texts.ts'
import type { Person } from '#server/store/issues/records.ts'
import type { FindValues } from './search-suggestions.tsx'

const SearchSuggestions = lazy(async () => {
  const { SearchSuggestions: component } = await import('./search-suggestions.tsx')
  return { default: component }
})

interface SearchFieldProps {
  text: string
  /** The id of the element that lists the invalid parts, if there are any. */
  problemsId?: string | undefined
  /** Users to whom issues can be assigned. */
  people: readonly Person[]
  findValues: FindValues
}

/**
 * The search box of the stream. Before any script has run, the browser offers completions itself; on first
 * use, a list that depends on the cursor position replaces them.
 */
export function SearchField({ text, problemsId, people, findValues }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isUsed, setUsed] = useState(false)
  return (
    <div className="search-field">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        name="q"
        data-shortcut="search"
        aria-label="Search issues"
        aria-invalid={problemsId !== undefined || undefined}
        aria-describedby={problemsId}
        defaultValue={text}
        placeholder='level:error release:latest "text"'
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        list={isUsed ? undefined : 'search-keys'}
        onFocus={() => setUsed(true)}
      />
      {isUsed ? (
        <Suspense fallback={null}>
          <SearchSuggestions input={input} people={people} findValues={findValues} />
        </Suspense>
      ) : (
        <datalist id="search-keys">
          {nextTexts(text).map((next) => (
            <option key={next}>{next}</option>
          ))}
        </datalist>
      )}
    </div>
  )
}

/** Completions of the search, each as the complete text, which the browser inserts into the field. */
function nextTexts(text: string): string[] {
  const begin = text === '' ? '' : `${text} `
  return startingTexts.map((next) => `${begin}${next}`)
}
