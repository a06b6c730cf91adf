// `npm start` of a copy of this folder. Plain JavaScript: an older Node cannot read the program itself, which is TypeScript.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 15)) await import('./main.ts')
else {
  process.stderr.write(
    `Cannot start: this program needs Node 24.15 or later, and this is ${process.version}.\n`,
  )
  process.exitCode = 1
}
