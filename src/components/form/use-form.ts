import { type FocusEvent, type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react'
import type {
  FormFailure,
  FormFields,
  FormProblem,
  FormResult,
  PostedForm,
  SubmitAnswer,
} from '#server/forms/form-views.ts'
import { useFormHost } from './form-host-context.ts'

/** The state of a form: its hidden values and its last result. */
export interface FormState {
  /** Submitted with the form and not shown. */
  hidden: Record<string, string>
  isPending: boolean
  problems: readonly FormProblem[]
  /** Rejected because another user saved the same settings in the meantime. */
  isOutdated: boolean
  failure: FormFailure | undefined
  /** The created or tested result. */
  shown: FormResult | undefined
  /** The entered values, if the page was rendered again with them. */
  entered: FormFields | undefined
  /** Changes when the fields have to show the stored values instead of the entered ones. */
  version: number
  /** Always the same function. */
  onInput: () => void
  onFocus: (event: FocusEvent<HTMLFormElement>) => void
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}

interface FormOptions {
  /** Distinguishes forms with the same name, for example by key or member; it is also submitted. */
  of?: Record<string, string>
  /** Further buttons, which submit the form under another name. */
  also?: readonly string[]
  /** The version of the shown settings: a submission over a newer version is rejected. */
  mark?: string
  /** The form creates an object: it is emptied afterwards. */
  isEmptied?: boolean
}

/** The last result of a form. */
interface Answered {
  problems: readonly FormProblem[]
  failure?: FormFailure
  shown?: FormResult | undefined
  /** The mark in a rejection. */
  mark?: string | undefined
}

const nothing: Answered = { problems: [] }

/**
 * A form of the page, by its name among the page's forms. With JavaScript it is submitted in place: the
 * fields keep the entered values until they are stored, and then show the stored ones. An unedited form is
 * updated by changes of other users.
 */
export function useForm(name: string, options: FormOptions = {}): FormState {
  const { of = {}, also = [], mark, isEmptied = false } = options
  const host = useFormHost()
  const [posted, setPosted] = useState(() => findOwn(host.findPosted(), { names: [name, ...also], of }))
  const [answered, setAnswered] = useState<Answered>(() => toAnswered(posted))
  const [isPending, setPending] = useState(false)
  const [isEdited, setEdited] = useState(posted !== undefined)
  const [version, setVersion] = useState(0)
  // The mark of the shown values; undefined until the next rendering provides it.
  const [heldMark, setHeldMark] = useState(() => postedMark(posted) ?? mark)
  if (heldMark === undefined && mark !== undefined) setHeldMark(mark)
  if (heldMark !== undefined && mark !== undefined && heldMark !== mark && !isEdited && !isPending) {
    setHeldMark(mark)
    setVersion(version + 1)
  }
  const onInput = useCallback(() => setEdited(true), [])
  const submitted = useRef<HTMLFormElement>(null)
  const focusedId = useRef('')
  useEffect(() => {
    if (answered.problems.length > 0) focusOnProblem(submitted.current)
  }, [answered])
  useEffect(() => {
    // Restores the focus to a field that was replaced while focused.
    if (version > 0 && document.activeElement === document.body)
      document.getElementById(focusedId.current)?.focus()
  }, [version])

  async function submit(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    const sent = new FormData(form, submitter)
    const entered = toText(sent)
    setPending(true)
    setAnswered({ problems: [], shown: answered.shown })
    const answer = await host.submit(sent)
    setPending(false)
    setAnswered(toAnswer(answer, answered))
    if (answer.kind !== 'done' && !(answer.kind === 'shown' && isEmptied)) return
    setPosted(undefined)
    setHeldMark(undefined)
    // Values entered in the meantime remain.
    if (toText(new FormData(form, submitter)) !== entered) return
    setEdited(false)
    setVersion((before) => before + 1)
  }

  const currentMark = answered.mark ?? heldMark
  return {
    hidden: { action: name, ...(currentMark !== undefined && { mark: currentMark }), ...of },
    isPending,
    problems: answered.problems,
    isOutdated: answered.mark !== undefined,
    failure: answered.failure,
    shown: answered.shown,
    entered: posted?.reply.kind === 'shown' && isEmptied ? undefined : posted?.fields,
    version,
    onInput,
    onFocus({ target }) {
      focusedId.current = target.id
    },
    onSubmit(event) {
      event.preventDefault()
      submitted.current = event.currentTarget
      if (!isPending) void submit(event.currentTarget, event.nativeEvent.submitter)
    },
  }
}

/** The posted form, if it is this form. */
function findOwn(
  posted: PostedForm | undefined,
  { names, of }: { names: readonly string[]; of: Record<string, string> },
): PostedForm | undefined {
  if (posted === undefined || !names.includes(posted.action)) return undefined
  return Object.entries(of).every(([name, value]) => posted.fields[name] === value) ? posted : undefined
}

function postedMark(posted: PostedForm | undefined): string | undefined {
  const mark = posted?.fields['mark']
  return typeof mark === 'string' ? mark : undefined
}

function toAnswered(posted: PostedForm | undefined): Answered {
  return posted === undefined ? nothing : toAnswer(posted.reply, nothing)
}

function toAnswer(answer: SubmitAnswer, before: Answered): Answered {
  switch (answer.kind) {
    case 'done':
      return nothing
    case 'shown':
      return { problems: [], shown: answer.shown }
    case 'rejected':
      return { problems: answer.problems, mark: answer.mark, shown: answer.shown ?? before.shown }
    case 'failed':
      break
  }
  return { ...before, problems: [], failure: answer.failure }
}

function toText(form: FormData): string {
  return JSON.stringify([...form])
}

/** Focuses the first field with an error. */
function focusOnProblem(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
