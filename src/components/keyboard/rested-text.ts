import { useEffect, useState } from 'react'

/** Debounce of the search. */
const restMs = 120

/** The debounced text. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
