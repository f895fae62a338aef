declare module '*.module.css' {
  const css: Readonly<Record<string, string>>;
  export default css;
}
declare module '*.css';
