/**
 * `npm run setup`: installs the programs that some tests need and npm does not bring. It says first what it will do.
 *
 * On Debian and Ubuntu, as root, it installs packages; elsewhere it says what to install. Exit code 1 if one is missing
 * afterwards.
 *
 * @module
 */
import { findProgram, installProgram, isRootOnDebian, programs } from './lib/programs.mjs'

const say = (line) => process.stdout.write(`${line}\n`)
const isPresent = (program) => process.env[program.variable] || findProgram(program, process.env)

const missing = programs.filter((program) => !isPresent(program))
for (const program of programs.filter(isPresent)) say(`✔ ${program.name} is installed`)

if (missing.length > 0) {
  const packages = missing.map(({ debianPackage }) => debianPackage).join(', ')
  if (isRootOnDebian()) {
    say(`Installing with apt-get: ${packages}`)
    for (const program of missing) {
      const { path, problem } = installProgram(program)
      if (path === undefined) {
        process.exitCode = 1
        say(`✖ ${program.name} could not be installed\n${problem}`)
      } else say(`✔ ${program.name} is installed: ${path}`)
    }
  } else {
    process.exitCode = 1
    say('Nothing was installed: that needs Debian or Ubuntu, and root. Install these, or name them:')
    for (const { name, debianPackage, variable } of missing)
      say(`  ${name}: package ${debianPackage} (sudo apt-get install ${debianPackage}), or ${variable}=/path`)
  }
}
