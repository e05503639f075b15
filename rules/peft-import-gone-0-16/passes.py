from peft.utils.other import ModulesToSaveWrapper

print(ModulesToSaveWrapper)
