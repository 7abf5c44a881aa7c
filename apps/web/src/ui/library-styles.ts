/** The component library's styles, in their own cascade layer: ours win, in whichever order the files come. */
import '@mantine/core/styles.layer.css';
