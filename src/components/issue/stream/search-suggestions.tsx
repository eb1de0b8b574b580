import { useEffect, useId, useLayoutEffect, useState, type RefObject } from 'react'
import { insertText } from '#components/ui/form/insert-text.ts'
import {
  findCompletion,
  suggestFixedValues,
  suggestKeys,
  type Completion,
  type Suggestion,
} from '#search/completion.ts'
import { quoteValue } from '#search/quote-value.ts'
import type { Person } from '#server/store/issues/records.ts'

/** Reads the values of a tag with a prefix. */
export type FindValues = (key: string, begin: string) => Promise<readonly string[]>

/** Debounce of the lookup in milliseconds. */
const typingPauseMs = 150

interface SearchSuggestionsProps {
  input: RefObject<HTMLInputElement | null>
  people: readonly Person[]
  findValues: FindValues
}

/**
 * The completions at the cursor: terms and tags, then values of the selected one. Arrows open the list and
 * select; Enter accepts the selection, and without one it searches; Tab accepts the selection, or else the
 * first suggestion for the typed text; Escape closes.
 */
export function SearchSuggestions({ input: inputRef, people, findValues }: SearchSuggestionsProps) {
  const id = useId()
  const [chosen, setChosen] = useState(-1)
  const { completion, setClosed } = useCompletion(inputRef, setChosen)
  const suggestions = useSuggestions(completion, people, findValues)
  const isOpen = completion !== undefined && suggestions.length > 0

  // Before the list is painted: a key that is pressed right afterwards must find it open.
  useLayoutEffect(() => {
    const input = inputRef.current
    if (input === null) return undefined
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-expanded', String(isOpen))
    input.setAttribute('aria-controls', id)
    if (chosen >= 0) input.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    else input.removeAttribute('aria-activedescendant')
    const press = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (event.isComposing) return
      if (!isOpen) {
        if (step !== undefined) setClosed(false)
        return
      }
      // Without typed text, Tab moves to the next control.
      const isMeant = event.key === 'Tab' && !event.shiftKey && completion.typed !== ''
      const suggestion = suggestions[chosen] ?? (isMeant ? suggestions[0] : undefined)
      if (step !== undefined) setChosen(moveWithin(chosen + step, suggestions.length))
      else if (event.key === 'Escape') close()
      else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) take(suggestion)
      else return
      event.preventDefault()
    }
    input.addEventListener('keydown', press)
    return () => input.removeEventListener('keydown', press)
  })

  /** Opened again, nothing is selected. */
  function close(): void {
    setChosen(-1)
    setClosed(true)
  }

  function take({ text, goesOn }: Suggestion): void {
    const input = inputRef.current
    if (input === null || completion === undefined) return
    const { start, end } = completion
    insertText(input, { text: goesOn ? text : `${text} `, start, end })
  }

  if (!isOpen) return null
  return (
    <div
      className="search-suggestions"
      id={id}
      role="listbox"
      aria-label="Suggestions"
      tabIndex={-1}
      // The field keeps the focus, even when the list is scrolled with the mouse.
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, at) => (
        // The field keeps the focus and handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={suggestion.text}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          ref={at === chosen ? bringIntoView : undefined}
          tabIndex={-1}
          onClick={() => take(suggestion)}
        >
          <code>{suggestion.text}</code>
          {suggestion.hint === undefined ? null : <span>{suggestion.hint}</span>}
        </div>
      ))}
    </div>
  )
}

function bringIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

/**
 * The completion at the cursor of a field while it is focused. Once closed by Escape or a submission, there
 * is none until the next input or click, because it would cover the results.
 */
function useCompletion(inputRef: RefObject<HTMLInputElement | null>, setChosen: (at: number) => void) {
  const [completion, setCompletion] = useState<Completion>()
  const [isClosed, setClosed] = useState(false)
  useEffect(() => {
    const input = inputRef.current
    if (input === null) return undefined
    let shown: string | undefined
    const update = () => {
      const isFocused = input.ownerDocument.activeElement === input
      const caret = input.selectionEnd ?? 0
      const next = isFocused ? `${caret} ${input.value}` : ''
      // `selectionchange` follows the focus in a later task, when an arrow may already have selected.
      if (next === shown) return
      shown = next
      setCompletion(isFocused ? findCompletion(input.value, caret) : undefined)
      setChosen(-1)
      // While another window has the focus, the field is still the active element.
      if (!isFocused) setClosed(false)
    }
    const open = () => {
      setClosed(false)
      update()
    }
    update()
    const listening = new AbortController()
    const { signal } = listening
    for (const type of ['input', 'click']) input.addEventListener(type, open, { signal })
    for (const type of ['focus', 'blur', 'selectionchange']) input.addEventListener(type, update, { signal })
    input.form?.addEventListener('submit', () => setClosed(true), { signal })
    return () => listening.abort()
  }, [inputRef, setChosen])
  return { completion: isClosed ? undefined : completion, setClosed }
}

/** After the last one no suggestion is selected, and then the first. */
function moveWithin(at: number, count: number): number {
  if (at >= count) return -1
  return at < -1 ? count - 1 : at
}

function useSuggestions(
  completion: Completion | undefined,
  people: readonly Person[],
  findValues: FindValues,
): readonly Suggestion[] {
  const { key, typed = '' } = completion ?? {}
  const names = people.map(({ name }) => name)
  const fixed = key === undefined ? undefined : suggestFixedValues(key, typed, names)
  // The keys of tags are the values of "has".
  const isLookedUp = completion !== undefined && fixed === undefined && (key !== undefined || typed !== '')
  const found = useFoundValues(isLookedUp ? (key ?? 'has') : undefined, { begin: typed, findValues })
  if (completion === undefined) return []
  if (key === undefined) return suggestKeys(typed, found)
  return fixed ?? found.map((value) => ({ text: quoteValue(value) }))
}

/**
 * The values of a key with a prefix; none without a key. Until they arrive, the matching values of the
 * previous prefix are returned, so that the list does not flicker with each letter.
 */
function useFoundValues(
  key: string | undefined,
  { begin, findValues }: { begin: string; findValues: FindValues },
): readonly string[] {
  const [found, setFound] = useState<{ key: string; begin: string; values: readonly string[] }>()
  useEffect(() => {
    if (key === undefined) return undefined
    let isCurrent = true
    const show = (values: readonly string[]) => {
      if (isCurrent) setFound({ key, begin, values })
    }
    const timer = setTimeout(() => {
      // Suggestions are optional: a failure is ignored.
      findValues(key, begin).then(show, () => show([]))
    }, typingPauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key, begin, findValues])
  if (found === undefined || found.key !== key || !begin.startsWith(found.begin)) return []
  return found.begin === begin ? found.values : found.values.filter((value) => value.startsWith(begin))
}
