import { browserSteps, nodeSteps } from './javascript-snippets.ts'
import { curlSteps, pythonSteps } from './other-snippets.ts'
import { nextSteps, reactSteps, tanstackStartSteps } from './react-snippets.ts'
import type { SetupStep } from './setup-step.ts'
import { vueSteps } from './vue-snippets.ts'

/** The setup guide of one SDK. */
export interface SdkSetupGuide {
  id: string
  name: string
  /** The platforms (`event.platform`, or a project's) that this guide is for. */
  platforms: readonly string[]
  steps: SetupStep[]
}

/** Every guide, with the project's DSN filled in. Those for JavaScript are for version 10 of the SDKs. */
export function sdkSetupGuides(dsn: string): SdkSetupGuide[] {
  return [
    { id: 'browser', name: 'Browser', platforms: ['javascript', 'browser'], steps: browserSteps(dsn) },
    { id: 'node', name: 'Node.js', platforms: ['node'], steps: nodeSteps(dsn) },
    { id: 'react', name: 'React', platforms: ['react'], steps: reactSteps(dsn) },
    { id: 'vue', name: 'Vue', platforms: ['vue'], steps: vueSteps(dsn) },
    { id: 'start', name: 'TanStack Start', platforms: ['tanstackstart'], steps: tanstackStartSteps(dsn) },
    { id: 'next', name: 'Next.js', platforms: ['nextjs'], steps: nextSteps(dsn) },
    { id: 'python', name: 'Python', platforms: ['python'], steps: pythonSteps(dsn) },
    { id: 'curl', name: 'curl', platforms: ['other'], steps: curlSteps(dsn) },
  ]
}
