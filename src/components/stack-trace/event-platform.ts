import { createContext, use } from 'react'

const PlatformContext = createContext('other')

/** Provides stack traces below it with the platform of their event. */
export const EventPlatform = PlatformContext

/** The platform of the event. */
export function useEventPlatform(): string {
  return use(PlatformContext)
}

/** True if the SDK sends variables as source text: Python's sends `repr()`, so that a text has quotes. */
export function useSourceTexts(): boolean {
  return useEventPlatform() === 'python'
}
