/**
 * `npm run setup`: installs the programs that some tests need and npm does not bring. It says first what it will do.
 *
 * On Debian and Ubuntu it installs packages, as root or by sudo; elsewhere it says what to install. Exit code 1 if one is missing
 * afterwards.
 *
 * @module
 */
import { aptGetCommand, findProgram, installProgram, programs } from './lib/programs.mjs'

const say = (line) => process.stdout.write(`${line}\n`)
const isPresent = (program) => process.env[program.variable] || findProgram(program, process.env)

const missing = programs.filter((program) => !isPresent(program))
for (const program of programs.filter(isPresent)) say(`✔ ${program.name} is installed`)

if (missing.length > 0) {
  const packages = missing.map(({ debianPackage }) => debianPackage).join(', ')
  const command = aptGetCommand(process.env)
  if (command !== undefined) {
    say(`Installing with ${command[0] === 'sudo' ? 'sudo apt-get' : 'apt-get'}: ${packages}`)
    for (const program of missing) {
      const { path, problem } = installProgram(program, command)
      if (path === undefined) {
        process.exitCode = 1
        say(`✖ ${program.name} could not be installed\n${problem}`)
      } else say(`✔ ${program.name} is installed: ${path}`)
    }
  } else {
    process.exitCode = 1
    say('Nothing was installed: that needs Debian or Ubuntu, and root or sudo. Install these, or name them:')
    for (const { name, debianPackage, variable } of missing)
      say(`  ${name}: package ${debianPackage} (sudo apt-get install ${debianPackage}), or ${variable}=/path`)
  }
}
