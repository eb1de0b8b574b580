import { type ReactNode, useRef, useState } from 'react'
import { useField } from '#components/ui/form/field-state.ts'
import { Icon } from '#components/ui/icon.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import type { LimitRow } from '#server/console/project-settings/views.ts'
import { categoryChoices, limitText, quantityText, windowChoices } from './limit-texts.ts'

/** A row as shown in its fields. */
interface ShownRow {
  key: number
  category: string
  quantity: string
  seconds: string
}

interface LimitRowsProps {
  name: string
  id?: string
  label: string
  hint?: ReactNode
  rows: readonly LimitRow[]
}

/**
 * Limits as rows of category, number and time: the fields `NAME-category`, `NAME-quantity` and
 * `NAME-seconds`. A row without a number is ignored, so that without JavaScript the empty last row adds a
 * limit, and clearing a row removes one.
 */
export function LimitRows({ name, id = `field-${name}`, label, hint, rows: stored }: LimitRowsProps) {
  const { problem } = useField(name)
  const entered = useEnteredRows(name)
  const [rows, setRows] = useState(() => withEmptyRow(entered ?? stored.map(toShownRow)))
  const isHydrated = useHydrated()
  const list = useRef<HTMLUListElement>(null)

  function remove(key: number): void {
    setRows((before) => withEmptyRow(before.filter((row) => row.key !== key)))
    // The pressed button no longer exists.
    list.current?.querySelector('select')?.focus()
  }

  const describedBy = problem !== undefined ? `${id}-problem` : hint !== undefined ? `${id}-hint` : undefined
  return (
    <fieldset className="limit-rows" aria-describedby={describedBy}>
      <legend>{label}</legend>
      <ul ref={list}>
        {rows.map((row, at) => (
          <li key={row.key}>
            <RowFields id={`${id}-${row.key}`} name={name} row={row} isInvalid={problem !== undefined} />
            {isHydrated ? (
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove limit ${at + 1} ${label.toLowerCase()}`}
                onClick={() => remove(row.key)}
              >
                <Icon name="x" />
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {isHydrated ? (
        <button
          type="button"
          className="button"
          aria-label={`Add a limit ${label.toLowerCase()}`}
          onClick={() => setRows((before) => [...before, emptyRow(before)])}
        >
          <Icon name="plus" /> Add a limit
        </button>
      ) : null}
      {problem === undefined ? null : (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint === undefined || problem !== undefined ? null : (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}

const windows = [1, 10, 60, 600, 3_600, 86_400]

interface RowFieldsProps {
  id: string
  name: string
  row: ShownRow
  isInvalid: boolean
}

function RowFields({ id, name, row, isInvalid }: RowFieldsProps) {
  const choices = windowChoices(windows, Number(row.seconds))
  return (
    <>
      <select
        id={`${id}-category`}
        name={`${name}-category`}
        aria-label="Category"
        defaultValue={row.category}
      >
        {categoryChoices(row.category).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <input
        id={`${id}-quantity`}
        name={`${name}-quantity`}
        aria-label="Number"
        aria-invalid={isInvalid || undefined}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        defaultValue={row.quantity}
      />
      <span>per</span>
      <select id={`${id}-seconds`} name={`${name}-seconds`} aria-label="Time" defaultValue={row.seconds}>
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </>
  )
}

/** Limits as text, for read-only access. */
export function LimitTexts({ rows }: { rows: readonly LimitRow[] }) {
  return rows.map(limitText).join(', ')
}

function useEnteredRows(name: string): ShownRow[] | undefined {
  const categories = useField(`${name}-category`).entered
  const quantities = useField(`${name}-quantity`).entered
  const seconds = useField(`${name}-seconds`).entered
  return categories?.map((category, key) => ({
    key,
    category,
    quantity: quantities?.[key] ?? '',
    seconds: seconds?.[key] ?? '60',
  }))
}

function toShownRow(row: LimitRow, key: number): ShownRow {
  return {
    key,
    category: row.category,
    quantity: quantityText(row),
    seconds: String(row.windowSeconds),
  }
}

function emptyRow(rows: readonly ShownRow[]): ShownRow {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
  return { key, category: 'error', quantity: '', seconds: '60' }
}

function withEmptyRow(rows: readonly ShownRow[]): ShownRow[] {
  return rows.at(-1)?.quantity === '' ? [...rows] : [...rows, emptyRow(rows)]
}
