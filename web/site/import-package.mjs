// Lives inside web/ because Node looks for a bare package name from the importing file's own folder upwards.

/** Imports an npm package of web/node_modules by its name, from wherever the caller stands. */
export const importPackage = (name) => import(name);
