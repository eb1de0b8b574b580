/** Keeps the focus at its place on the page when a change removes the control that was pressed. */
export interface FormFocus {
  /** If the control of the last submitted form was removed, focuses the control that replaced it. */
  restore(): void
  /** Another page is opened, which sets the focus itself. */
  drop(): void
  stop(): void
}

/** A position in the page: from the control outwards, each element with its index in its parent. */
interface Place {
  control: Element
  steps: readonly { parent: Element; index: number }[]
}

const controls = 'a[href], button, input:not([type="hidden"]), select, textarea, summary'

/** Remembers where a form was submitted from, until the focus moves. Only in the browser. */
export function followForms(): FormFocus {
  let place: Place | undefined
  const drop = () => (place = undefined)
  const events = new AbortController()
  const watch = { capture: true, signal: events.signal }
  document.addEventListener(
    'submit',
    ({ target }) => {
      const control = document.activeElement
      if (target instanceof Element && control !== null && target.contains(control))
        place = findPlace(control)
    },
    watch,
  )
  document.addEventListener('focusin', drop, watch)
  document.addEventListener('pointerdown', drop, watch)

  return {
    restore() {
      if (place === undefined || place.control.isConnected) return
      const { steps } = place
      drop()
      if (document.activeElement !== document.body) return
      const found = findReplacement(steps) ?? document.querySelector('main')
      found?.focus({ preventScroll: true })
    },
    drop,
    stop: () => events.abort(),
  }
}

function findPlace(control: Element): Place {
  const steps = []
  for (let at = control; at.parentElement !== null && at.tagName !== 'MAIN'; at = at.parentElement)
    steps.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) })
  return { control, steps }
}

/** In the nearest element that remains: the first control at the position, else before it. */
function findReplacement(steps: Place['steps']): HTMLElement | undefined {
  const step = steps.find(({ parent }) => parent.isConnected)
  if (step === undefined || step.parent.tagName === 'MAIN') return undefined
  const { children } = step.parent
  for (const child of [children[step.index], children[step.index - 1]]) {
    const found = child === undefined ? undefined : firstControl(child)
    if (found !== undefined) return found
  }
  return undefined
}

function firstControl(element: Element): HTMLElement | undefined {
  const found = [element, ...element.querySelectorAll(controls)]
  return found.find(
    (each): each is HTMLElement =>
      each instanceof HTMLElement && each.matches(controls) && each.tabIndex >= 0 && each.checkVisibility(),
  )
}
