/** Look is what is shown of a net besides its boxes and links. */
export interface Look {
  formulas: boolean;
  order: boolean;
  values: boolean;
}

interface Props {
  look: Look;
  setLook: (look: Look) => void;
  formulas: boolean; // there are any
  tidy: () => void;
}

/** Tools are the switches above the drawing. */
export function Tools({ look, setLook, formulas, tidy }: Props) {
  const option = (name: keyof Look, text: string, title: string) => (
    <label title={title}>
      <input type="checkbox" checked={look[name]} onChange={(e) => setLook({ ...look, [name]: e.target.checked })} /> {text}
    </label>
  );
  return (
    <div className="tools" role="group" aria-label="What is shown">
      {formulas && option("formulas", "Formulas", "Operators as one box with what they compute")}
      {option("order", "Order", "The order of execution in each cycle")}
      {option("values", "Values", "Values on links as they change")}
      <button type="button" onClick={tidy} title="Lay out everything again">Tidy</button>
    </div>
  );
}
