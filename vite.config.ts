import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import viteReact from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { readBuildRelease } from './bin/build-release.ts'

export default defineConfig({
  define: { __CULVERT_RELEASE__: JSON.stringify(readBuildRelease(process.env)) },
  build: {
    // light-dark() and nesting stay as written: older targets would have them rewritten into twice the CSS.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    target: 'es2023',
  },
  plugins: [
    tanstackStart({
      importProtection: {
        behavior: 'error',
        client: {
          files: ['**/*.server.*', '**/src/server/**'],
          excludeFiles: ['**/node_modules/**', '**/*.functions.*', '**/*.search.*', '**/store/views.*'],
        },
      },
    }),
    viteReact(),
  ],
})
