import type { DialogTexts } from './dialog-texts.ts'

// These functions run in pages of other sites: `dialog-script.ts` sends their source text. Each may use only
// its arguments and what every browser provides: no imports except of types, no other function of this file.

/** The constants that the script contains. */
export interface DialogData {
  texts: { readonly en: DialogTexts; readonly [language: string]: DialogTexts }
  styles: string
  maxCharacters: { name: number; email: number; comments: number }
}

/** The functions of this file, passed as arguments. */
export interface DialogParts {
  readPageOptions: typeof readPageOptions
  makeElement: typeof makeElement
  makeFields: typeof makeFields
  buildDialog: typeof buildDialog
  createReporter: typeof createReporter
}

/** The options of the page, and the texts in its language. */
interface PageOptions {
  options: URLSearchParams
  language: string
  text: (name: keyof DialogTexts) => string
}

/** The elements that change while the dialog is open. */
interface DialogElements {
  /** Its shadow root isolates the dialog from the page's styles. */
  host: HTMLElement
  dialog: HTMLDialogElement
  form: HTMLFormElement
  fields: readonly (HTMLInputElement | HTMLTextAreaElement)[]
  problem: HTMLElement
  submit: HTMLButtonElement
  close: HTMLButtonElement
}

/**
 * Finds the texts: the options that the page sets, otherwise those of its language: `lang`, `<html lang>`, or
 * the browser's.
 */
export function readPageOptions(all: DialogData['texts'], options: URLSearchParams): PageOptions {
  const tags = [options.get('lang') ?? '', document.documentElement.lang, navigator.language]
  const languages = tags.map((tag) => tag.toLowerCase().replace(/[^a-z].*/, ''))
  const language = languages.find((each) => Object.hasOwn(all, each)) ?? 'en'
  const texts = all[language] ?? all.en
  return {
    language,
    options,
    text(name) {
      const given = options.get(name) ?? ''
      // The SDK writes a missing option as this word.
      return given === '' || given === 'undefined' || given === 'null' ? texts[name] : given
    },
  }
}

/** Creates an element. */
export function makeElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value))
  element.append(...children)
  return element
}

/**
 * Creates the fields with their labels. Fills in the page's data about the visitor; the first empty field
 * gets the focus.
 */
export function makeFields(
  { maxCharacters }: DialogData,
  { text, options }: PageOptions,
  make: typeof makeElement,
): { fields: DialogElements['fields']; lines: readonly HTMLElement[] } {
  const { name, email, comments } = maxCharacters
  const fields = [
    make('input', { name: 'name', autocomplete: 'name', maxlength: name }),
    make('input', { name: 'email', autocomplete: 'email', maxlength: email, type: 'email' }),
    make('textarea', { name: 'comments', rows: 5, required: '', maxlength: comments }),
  ]
  const labels = [text('labelName'), text('labelEmail'), text('labelComments')]
  const lines = fields.flatMap((field, at) => {
    const given = options.get(field.name) ?? ''
    field.id = field.name
    field.value = given === 'undefined' || given === 'null' ? '' : given
    field.setAttribute('aria-describedby', `${field.name}-error`)
    return [
      make('label', { for: field.name, dir: 'auto' }, labels[at] ?? ''),
      field,
      make('p', { id: `${field.name}-error`, class: 'error' }),
    ]
  })
  fields.find(({ value }) => value === '')?.setAttribute('autofocus', '')
  return { fields, lines }
}

/**
 * Creates the dialog without adding it to the page. Texts are set as text, and the style as a constructed
 * sheet, which strict content security policies allow.
 */
export function buildDialog(data: DialogData, page: PageOptions, parts: DialogParts): DialogElements {
  const { text, language } = page
  const make = parts.makeElement
  const { fields, lines } = parts.makeFields(data, page, make)
  const problem = make('p', { role: 'alert', dir: 'auto' })
  const submit = make('button', { type: 'submit' }, text('labelSubmit'))
  const close = make('button', { type: 'button' }, text('labelClose'))
  const form = make(
    'form',
    { novalidate: '' },
    make('h2', { id: 'title', dir: 'auto' }, text('title')),
    make('p', { id: 'subtitle', dir: 'auto' }, `${text('subtitle')} ${text('subtitle2')}`),
    problem,
    ...lines,
    make('div', { class: 'actions' }, submit, close),
  )
  const described = { lang: language, 'aria-labelledby': 'title', 'aria-describedby': 'subtitle' }
  const dialog = make('dialog', described, form)
  const host = make('div', { 'data-culvert-report-dialog': '' })
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(data.styles)
  root.adoptedStyleSheets = [sheet]
  root.append(dialog)
  return { host, dialog, form, fields, problem, submit, close }
}

/** Returns the function that posts the form to `address` and shows the result. */
export function createReporter(
  { form, fields, problem, submit, close }: DialogElements,
  { text }: PageOptions,
  address: string,
): () => Promise<void> {
  let isSending = false

  function showProblem(sentence: string, notes: ReadonlyMap<string, string> = new Map()): void {
    for (const field of fields) {
      field.setAttribute('aria-invalid', String(notes.has(field.name)))
      const line = field.nextElementSibling
      if (line !== null) line.textContent = notes.get(field.name) ?? ''
    }
    problem.textContent = sentence
    fields.find(({ name }) => notes.has(name))?.focus()
  }

  function showThanks(): void {
    const thanks = document.createElement('p')
    thanks.textContent = text('successMessage')
    thanks.setAttribute('role', 'status')
    thanks.tabIndex = -1
    close.before(thanks)
    form.replaceChildren(thanks, close)
    thanks.focus()
  }

  async function send(): Promise<void> {
    const invalid = fields.filter((field) => !field.checkValidity())
    if (invalid.length > 0) {
      const notes = new Map(invalid.map((field) => [field.name, field.validationMessage]))
      showProblem(text('errorFormEntry'), notes)
      return
    }
    const body = new URLSearchParams(fields.map(({ name, value }) => [name, value]))
    const answer = await fetch(address, { method: 'POST', body, credentials: 'omit' })
    if (answer.ok) showThanks()
    else if (answer.status === 400) showProblem(text('errorFormEntry'))
    else showProblem(text('errorGeneric'))
  }

  return async () => {
    if (isSending) return
    isSending = true
    submit.setAttribute('aria-disabled', 'true')
    try {
      await send()
    } catch {
      showProblem(text('errorGeneric'))
    }
    isSending = false
    submit.removeAttribute('aria-disabled')
  }
}

/**
 * Opens the dialog over the page. All variable data is in the URL from which this script was loaded, to which
 * the report is posted, too.
 */
export function openDialog(data: DialogData, parts: DialogParts): void {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement)) return
  const address = script.src
  const page = parts.readPageOptions(data.texts, new URL(address).searchParams)
  const elements = parts.buildDialog(data, page, parts)
  const report = parts.createReporter(elements, page, address)
  const { host, dialog, form, close } = elements
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void report()
  })
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    host.remove()
    // The SDK's `showReportDialog()` listens for this message. It is sent to this page only.
    globalThis.postMessage('__sentry_reportdialog_closed__', '*')
  })
  // Listeners of the page see the host element as the target: its single-key shortcuts would run while the
  // visitor types.
  for (const type of ['keydown', 'keypress', 'keyup', 'focusin']) {
    host.addEventListener(type, (event) => event.stopPropagation())
  }
  function open(): void {
    for (const other of document.querySelectorAll('[data-culvert-report-dialog]')) other.remove()
    document.body.append(host)
    dialog.showModal()
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', open, { once: true })
  else open()
}
