import { type RefObject, useEffect, useState } from 'react'
import { findShownRange } from './visible-rows.ts'

/** Positions of the rows to render, and the height of one in CSS pixels. */
export interface ScrolledRange {
  from: number
  to: number
  rowHeight: number
}

/** Until a row has been measured. */
const usualRowHeight = 28

/** The rows of a list that its element shows, if it scrolls; all of them otherwise. All are equally high. */
export function useScrolledRange(
  list: RefObject<HTMLElement | null>,
  count: number,
  isOn: boolean,
): ScrolledRange {
  const [scroll, setScroll] = useState({ top: 0, height: 800, rowHeight: usualRowHeight })
  useEffect(() => {
    const element = list.current
    if (!isOn || element === null) return undefined
    const measure = () => {
      const rowHeight = element.querySelector<HTMLElement>('[role="row"]')?.offsetHeight ?? usualRowHeight
      setScroll({ top: element.scrollTop, height: element.clientHeight, rowHeight: Math.max(1, rowHeight) })
    }
    measure()
    const resizes = new ResizeObserver(measure)
    resizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      resizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [list, isOn])
  if (!isOn) return { from: 0, to: count, rowHeight: usualRowHeight }
  return { ...findShownRange({ ...scroll, count }), rowHeight: scroll.rowHeight }
}
