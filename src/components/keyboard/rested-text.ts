import { useEffect, useState } from 'react'

/** How long a text has to rest before it is looked for. */
const restMs = 120

/** The text once it has not changed for a moment. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
