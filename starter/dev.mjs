// `npm run dev` of a project. Plain JavaScript for the same reason as start.mjs, and an older Node has no such cache.
import module from 'node:module'

// Error pages show the place in the source, and a page that is not found shows how its path was resolved.
process.env['NODE_ENV'] ??= 'development'
// A restart compiles only what was changed. Not below the folder for temporary files, where others could write.
module.enableCompileCache?.('node_modules/.cache/sallyport')
await import('./start.mjs')
