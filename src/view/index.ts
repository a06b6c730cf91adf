/** Pages: the view that an action returns, and the engine that renders it. @module */
export { TemplateException } from './template-exception.ts'
export { type TemplateExpression, type TemplateSource, ViewEngine } from './view-engine.ts'
export { View } from './view.ts'
