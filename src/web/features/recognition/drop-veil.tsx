import './extraction-tool.css';

/** Over the whole window while a file is held above it: it may be let go anywhere. */
export const DropVeil = () => (
  <div className="drop-veil" aria-hidden="true">
    <p className="text-center font-display text-3xl">Let go to read this picture</p>
  </div>
);
