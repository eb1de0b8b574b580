import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { Icon } from '#components/ui/icon.tsx'
import { Keys } from './shortcut-list.tsx'

/** An entry of the palette: a link or an action. */
export interface PaletteEntry {
  /** Unique among all entries. */
  id: string
  text: string
  /** Shown before it. */
  mark?: ReactNode
  /** Shown next to it in a muted color. */
  detail?: string
  keys?: readonly string[]
  /** The target of a link; absent for an action. */
  href?: string
}

/** Entries of one kind, best first. */
export interface PaletteGroup {
  title: string
  entries: readonly PaletteEntry[]
}

interface PaletteProps {
  text: string
  onText: (text: string) => void
  groups: readonly PaletteGroup[]
  /** An additional note, for example that a part could not be searched. */
  note?: string
  onChoose: (entry: PaletteEntry) => void
}

/**
 * A field that selects from the list below it while typing: a combobox whose list stays open (WAI-ARIA
 * Authoring Practices). The focus stays in the field; the arrows move through the list, Enter selects.
 */
export function Palette({ text, onText, groups, note, onChoose }: PaletteProps) {
  const id = useId()
  const entries = groups.flatMap((group) => group.entries)
  const [activeId, setActiveId] = useState<string>()
  const found = entries.findIndex((entry) => entry.id === activeId)
  const activeIndex = found === -1 ? 0 : found
  const active = entries[activeIndex]
  const optionId = (entry: PaletteEntry) => `${id}-${entry.id}`

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const step = steps[event.key]
    if (step !== undefined) setActiveId(entries.at((activeIndex + step) % entries.length)?.id)
    else if (event.key === 'Enter' && active !== undefined) onChoose(active)
    else return
    event.preventDefault()
  }

  return (
    <div className="palette">
      <div className="palette-field">
        <Icon name="search" size={16} />
        <input
          type="text"
          role="combobox"
          aria-label="Command palette"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : optionId(active)}
          placeholder="Type a command or search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={({ currentTarget }) => {
            setActiveId(undefined)
            onText(currentTarget.value)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
        {groups.map(({ title, entries: listed }, at) =>
          listed.length === 0 ? null : (
            <div key={title} role="group" aria-labelledby={`${id}-title-${at}`}>
              <p id={`${id}-title-${at}`} role="presentation" className="palette-title">
                {title}
              </p>
              {listed.map((entry) => (
                <Option
                  key={entry.id}
                  id={optionId(entry)}
                  entry={entry}
                  isActive={entry === active}
                  onChoose={onChoose}
                />
              ))}
            </div>
          ),
        )}
      </div>
      <p className="palette-note" role="status">
        {note ?? (entries.length === 0 ? 'No results.' : null)}
      </p>
    </div>
  )
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

interface OptionProps {
  id: string
  entry: PaletteEntry
  isActive: boolean
  onChoose: (entry: PaletteEntry) => void
}

function Option({ id, entry, isActive, onChoose }: OptionProps) {
  /** A click with Ctrl, ⌘ or Shift opens a new tab or window: the browser handles it. */
  function choose(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onChoose(entry)
  }

  const content = (
    <>
      {entry.mark}
      <bdi className="palette-text">{entry.text}</bdi>
      {entry.detail === undefined ? null : <bdi className="palette-detail">{entry.detail}</bdi>}
      {entry.keys === undefined ? null : <Keys keys={entry.keys} />}
    </>
  )
  const attributes = {
    id,
    role: 'option',
    'aria-selected': isActive,
    tabIndex: -1,
    onClick: choose,
    ref: isActive ? bringIntoView : undefined,
  } as const
  return entry.href === undefined ? (
    <button type="button" {...attributes}>
      {content}
    </button>
  ) : (
    <a href={entry.href} {...attributes}>
      {content}
    </a>
  )
}

function bringIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
