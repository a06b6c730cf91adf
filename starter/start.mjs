// `npm start` of a project. Plain JavaScript: an older Node cannot read the program itself, which is TypeScript.
import { existsSync } from 'node:fs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 15)) {
  // Settings of this machine. Variables that are set already stay.
  if (existsSync('.env')) process.loadEnvFile('.env')
  await import('./main.ts')
} else {
  process.stderr.write(
    `Cannot start: this program needs Node 24.15 or later, and this is ${process.version}.\n`,
  )
  process.exitCode = 1
}
