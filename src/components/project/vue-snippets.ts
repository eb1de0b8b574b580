import type { SetupStep } from './setup-step.ts'

/** Vue 3 in the browser, with a component that shows the digest of errors within it. */
export function vueSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'npm install @sentry/vue@10' },
    {
      label: 'src/main.ts',
      code: `import * as Sentry from '@sentry/vue'
import { createApp } from 'vue'
import App from './App.vue'

const app = createApp(App)

Sentry.init({
  app,
  dsn: '${dsn}',
  // release: 'shop@1.4.0',
  // An error that happens again is sent again, since it has a digest of its own.
  integrations: (defaults) => defaults.filter(({ name }) => name !== 'Dedupe'),
})

app.mount('#app')`,
    },
    {
      label: 'src/FailureBoundary.vue',
      code: `<script setup lang="ts">
import * as Sentry from '@sentry/vue'
import { onErrorCaptured, ref } from 'vue'

const digest = ref('')

onErrorCaptured((error) => {
  digest.value = Sentry.captureException(error).slice(0, 12)
})
</script>

<template>
  <main v-if="digest" role="alert">
    <h1>Application error</h1>
    <p>Digest: {{ digest }}</p>
    <button @click="digest = ''">Try again</button>
  </main>
  <slot v-else />
</template>`,
    },
    {
      label: 'src/App.vue',
      code: `<script setup lang="ts">
import FailureBoundary from './FailureBoundary.vue'
import Home from './Home.vue'
</script>

<template>
  <FailureBoundary>
    <Home />
  </FailureBoundary>
</template>`,
    },
    {
      label: 'Try it',
      code: `<button @click="() => { throw new Error('First event from Vue') }">Break</button>`,
    },
  ]
}
