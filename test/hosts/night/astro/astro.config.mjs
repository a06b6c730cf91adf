import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  // The application judges the origin of forms itself.
  security: { checkOrigin: false },
})
