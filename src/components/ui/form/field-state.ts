import { createContext, use } from 'react'

/** The context that a form provides to its fields. */
interface FieldsState {
  problems: readonly { field?: string; message: string }[]
  /** The entered values, if the form was rendered again with the page. */
  entered: Readonly<Record<string, string | string[]>> | undefined
}

/** Given by the form around a field. */
export const FieldsContext = createContext<FieldsState>({ problems: [], entered: undefined })

/** A field as its form knows it. */
export interface FieldState {
  /** The error of the entered value; undefined if it is valid. */
  problem: string | undefined
  /** The initial value of the field: the entered one, or else the stored one. */
  text: (stored: string) => string
  /** The same for a checkbox. `value` distinguishes boxes with the same name. */
  isTicked: (stored: boolean, value?: string) => boolean
  /** All values entered under the name; undefined if the form was not rendered again. */
  entered: readonly string[] | undefined
}

/** The state of a field in its form. */
export function useField(name: string): FieldState {
  const { problems, entered } = use(FieldsContext)
  const messages = problems.filter(({ field }) => field === name).map(({ message }) => message)
  const own = [entered?.[name] ?? []].flat()
  return {
    problem: messages.length === 0 ? undefined : messages.join('\n'),
    text: (stored) => (entered === undefined ? stored : (own.at(-1) ?? '')),
    isTicked: (stored, value = 'on') => (entered === undefined ? stored : own.includes(value)),
    entered: entered === undefined ? undefined : own,
  }
}
