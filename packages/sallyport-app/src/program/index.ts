/** The program of a process: it opens an application, serves it until it is asked to stop, or runs one of its commands. @module */
export { forCommand } from './for-command.ts'
export { defineGiven, type GivenServices } from './given-services.ts'
export { type Given, type Opened, openProgram, type OpenOptions } from './open-program.ts'
export { type ProgramWork, runProgram } from './run-program.ts'
export { type Announced, type Faults, type ServeOptions, serveProgram } from './serve-program.ts'
